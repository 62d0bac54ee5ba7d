#!/bin/sh
# A worker that needs no model: what it does depends on its task, and on what it left the last time.
cat >/dev/null
sleep 0.2
case $PARLEY_SLOT in
  1) echo 'int parse();' >parser.h && echo 'the parser' >>NOTES ;;
  2) echo 'int print();' >printer.h && echo 'the printer' >>NOTES ;; # both write NOTES: a conflict
  3)
    # The first time it leaves something that the tests refuse; then it takes it away.
    if [ -f bad ]; then rm bad; else echo x >bad; fi
    echo 'int main();' >main.h
    echo '<!-- BUS:discovery -->main.h declares main<!-- /BUS -->'
    ;;
  4) echo x >bad4 ;; # never passes
  *) echo ok >"part$PARLEY_SLOT" ;;
esac
echo "task $PARLEY_SLOT: done"
