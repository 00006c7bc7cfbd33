export type Shell = "bash" | "zsh" | "fish";

/**
 * The scripts ask the command itself, so they do not contain its commands and options. If it prints no
 * candidates, the shell completes files.
 */
const scripts: Readonly<Record<Shell, string>> = {
  bash: `_trivet() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(trivet completion candidates -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _trivet trivet
`,
  zsh: `#compdef trivet
_trivet() {
  local line
  local -a found
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(trivet completion candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe 'trivet' found; else _files; fi
}
compdef _trivet trivet
`,
  fish: `function __trivet_candidates
  set -l words (commandline --tokenize --cut-at-cursor --current-process) (commandline --cut-at-cursor --current-token)
  set -l found (trivet completion candidates -- $words[2..] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path $words[-1]
  end
end
complete --command trivet --no-files --arguments '(__trivet_candidates)'
`,
};

/** Returns the script that makes a shell complete the command `trivet`. */
export const completionScript = (shell: Shell): string => scripts[shell];
