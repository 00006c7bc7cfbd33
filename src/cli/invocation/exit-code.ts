/** What the process ends with; `trivet exec` passes its command's own code on. */
export const ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  commandNotFound: 127,
  interrupted: 130,
  /** As a shell reports of a program that SIGPIPE ended. */
  outputClosed: 141,
} as const;

export const exitCodesHelp = `
Exit codes:
  0    done
  1    failed, or \`doctor\` found a problem
  2    the command line was not understood
  127  \`exec\` did not find the command
  130  interrupted (Ctrl-C)
  141  nobody reads the output any more, as after \`| head\`
  \`exec\` ends with its command's code: 128 + n when signal n ended it.`;
