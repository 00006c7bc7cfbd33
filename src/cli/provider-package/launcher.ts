/** The provider that a launcher starts, for messages. */
interface Launched {
  readonly name: string;
  /** The oldest version of Node.js that runs it, such as `20.20`. */
  readonly minimumNode: string;
}

/** The settings of {@link launcher}. */
interface LauncherOptions extends Launched {
  /** The bundle's file. */
  readonly entry: string;
  /**
   * Renames NODE_EXTRA_CA_CERTS to TRIVET_EXTRA_CA_CERTS, which saves 40 ms at every start if the variable is
   * set. Only for programs whose HTTPS clients read the file themselves.
   */
  readonly defersCertificates: boolean;
}

const deferral = `if [ -n "\${NODE_EXTRA_CA_CERTS:-}" ]; then
  TRIVET_EXTRA_CA_CERTS=$NODE_EXTRA_CA_CERTS
  export TRIVET_EXTRA_CA_CERTS
fi
unset NODE_EXTRA_CA_CERTS
`;

/**
 * Returns the script that Terraform starts. It is a shell script because the environment must change before
 * node reads it.
 *
 * NODE_OPTIONS and NODE_V8_COVERAGE are meant for the user's own programs. `command` and `${0%/*}` are built
 * into the shell, so nothing is forked before `exec`.
 *
 * The reason for which a provider cannot start goes to standard output: Terraform shows the first line that
 * it reads there instead of a handshake, and nothing of standard error. It stops reading when the process has
 * exited, so the process waits until Terraform has read the line and kills it.
 */
export function launcher({
  name,
  entry,
  minimumNode,
  defersCertificates,
}: LauncherOptions): string {
  return `#!/bin/sh
${defersCertificates ? deferral : ""}unset NODE_OPTIONS NODE_V8_COVERAGE
if ! command -v node >/dev/null 2>&1; then
  echo "The ${name} provider needs Node.js, but \\"node\\" is not on its PATH. Install Node.js ${minimumNode} or newer, or add its folder to PATH."
  PATH=/usr/bin:/bin sleep 2
  exit 1
fi
case $0 in
  */*) here=\${0%/*} ;;
  *) here=. ;;
esac
exec node "$here/${entry}" "$@"
`;
}

/**
 * Returns the first statement of the bundle, which refuses an old Node.js with a message instead of a stack
 * trace.
 */
export function nodeCheck({ name, minimumNode }: Launched): string {
  const [major = "0", minor = "0"] = minimumNode.split(".");
  const found = "process.versions.node";
  const parts = `${found}.split(".").map(Number)`;
  return (
    `(function(v){if(v[0]<${major}||v[0]===${major}&&v[1]<${minor}){` +
    `require("node:fs").writeSync(1,"The ${name} provider needs Node.js ${minimumNode} or newer; \\"node\\" on its PATH is "+${found}+".\\n");` +
    `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,2000);process.exit(1)}})(${parts});`
  );
}
