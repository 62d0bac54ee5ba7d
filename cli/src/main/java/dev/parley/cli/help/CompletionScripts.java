package dev.parley.cli.help;

/**
 * The completion scripts for shells. Each asks {@code parley complete} for what can come next, so a
 * shell knows every command and sub-command, and the agents, tasks and messages of the bus.
 */
final class CompletionScripts {
  private CompletionScripts() {}

  /** For bash 3.2 and newer, without the bash-completion package. */
  static final String BASH =
      """
      _parley() {
        local line current="${COMP_WORDS[COMP_CWORD]}" IFS=$'\\n'
        # Bash takes --name=value and task:1.1 for three words.
        if [[ $current == "=" || $current == ":" ]]; then current=; fi
        COMPREPLY=()
        while IFS= read -r line; do
          case "$line" in
            :folders)
              compopt -o filenames 2>/dev/null
              COMPREPLY+=($(compgen -d -- "$current"))
              ;;
            :files)
              compopt -o filenames 2>/dev/null
              COMPREPLY+=($(compgen -f -- "$current"))
              ;;
            *)
              line=${line%%$'\\t'*}
              if [[ $line == *: ]]; then compopt -o nospace 2>/dev/null; fi
              COMPREPLY+=("$line")
              ;;
          esac
        done < <("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      }
      complete -o bashdefault -F _parley parley
      """;

  static final String ZSH =
      """
      #compdef parley

      _parley() {
        local line
        local -a words_found
        for line in "${(@f)$("$words[1]" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
          case "$line" in
            '') ;;
            :folders) _files -/ ;;
            :files) _files ;;
            *) words_found+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}") ;;
          esac
        done
        if (( $#words_found )); then _describe parley words_found; fi
      }

      if [[ $funcstack[1] == _parley ]]; then
        _parley "$@"
      else
        compdef _parley parley
      fi
      """;

  static final String FISH =
      """
      function __parley_complete
        set -l tokens (commandline -opc)
        set -a tokens (commandline -ct | string collect --allow-empty)
        for line in ($tokens[1] complete -- $tokens[2..-1] 2>/dev/null)
          switch $line
            case ':folders'
              __fish_complete_directories (commandline -ct)
            case ':files'
              __fish_complete_path (commandline -ct)
            case '*'
              echo $line
          end
        end
      end
      complete -c parley -f -a '(__parley_complete)'
      """;
}
