/** The exit codes of the process. `trivet exec` passes on its command's own code. */
export const ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  /** A change that `--refuse` does not allow, plans for something else, or an image that a policy does not accept. */
  refused: 3,
  commandNotFound: 127,
  interrupted: 130,
  /** 128 + SIGPIPE, as a shell reports it. */
  outputClosed: 141,
} as const;

/** The exit codes, for `trivet-provider --help`. */
export const providerExitCodesHelp = `
Exit codes:
  0    done
  1    failed
  2    the command line is invalid
  130  interrupted (Ctrl-C)
  141  the output was closed, as by \`| head\``;

/** The exit codes, for `trivet --help`. */
export const exitCodesHelp = `
Exit codes:
  0    done
  1    failed, not approved, or \`doctor\` found a problem
  2    the command line is invalid
  3    \`--refuse\` does not allow a change, or a policy refuses an image
  127  \`exec\` did not find the command, or there is no Terraform
  130  interrupted (Ctrl-C)
  141  the output was closed, as by \`| head\`
  \`exec\` exits with its command's code, or with 128 + n if signal n ended it.`;
