#!/bin/sh
# A worker and a reviewer that need no model: what they say depends on the stage and on the prompt.
prompt=$(cat)
sleep 0.1
case $PARLEY_STAGE in
  decompose)
    cat <<'END'
{"tasks": [
  {"description": "Add notes", "acceptance_criteria": ["A note can be added"], "estimated_hours": 2},
  {"description": "List notes", "acceptance_criteria": ["Notes are listed"], "dependencies": [1],
   "estimated_hours": 1}]}
END
    ;;
  implement)
    part=$(echo "$prompt" | head -1 | tr 'A-Z ' 'a-z-')
    echo "the code of $part" >>"$part.code"
    echo "expect $part to work" >>"$part.test"
    echo "Done, as I see it."
    ;;
  review)
    case $prompt in
      *"request #1, iteration 1."*)
        points=10
        found='{"severity": "blocking", "category": "testing", "file": "add-notes.code", "line": 1,
          "issue": "Nothing tests a note that is too long", "suggestion": "Add a test for it"}'
        ;;
      *)
        points=23
        found='{"severity": "suggestion", "category": "documentation", "file": "", "line": 0,
          "issue": "The code says nothing about itself", "suggestion": "Add a comment"}'
        ;;
    esac
    cat <<END
{"criteria_scores": {"code_quality": 25, "test_coverage": $points, "security": 18,
  "documentation": 12, "acceptance_criteria": 10},
 "acceptance": [{"criterion": 1, "met": true}], "feedback": [$found]}
END
    ;;
  improve)
    cat <<'END'
{"improvements": [
  {"description": "Rewrite it", "impact": "high", "effort_hours": 40, "acceptance_criteria": ["new"]},
  {"description": "Find notes", "impact": "medium", "effort_hours": 2, "category": "ux",
   "rationale": "Lists grow", "acceptance_criteria": ["Notes are found by a word"]}]}
END
    ;;
esac
