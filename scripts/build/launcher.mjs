// @ts-check

/**
 * The file that Terraform starts: a shell script, because the environment must change before node reads it.
 *
 * NODE_EXTRA_CA_CERTS would slow down every start by about 40 ms, so it is renamed (HTTPS clients load the
 * file when they first connect). NODE_OPTIONS and NODE_V8_COVERAGE are meant for the user's own programs.
 * `command` and `${0%/*}` are built into the shell, so nothing is forked before `exec`.
 *
 * Why the provider cannot start goes to standard output: Terraform shows the first line that it reads there
 * instead of a handshake, and nothing of standard error. It stops reading when the process has ended, so the
 * process waits until Terraform, which has read the line, ends it.
 *
 * @param {{ name: string, entry: string, minimumNode: string }} provider
 */
export function launcher({ name, entry, minimumNode }) {
  return `#!/bin/sh
if [ -n "\${NODE_EXTRA_CA_CERTS:-}" ]; then
  TRIVET_EXTRA_CA_CERTS=$NODE_EXTRA_CA_CERTS
  export TRIVET_EXTRA_CA_CERTS
fi
unset NODE_EXTRA_CA_CERTS NODE_OPTIONS NODE_V8_COVERAGE
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
 * The first statement of the bundle: refuses an old Node.js with a message instead of a stack trace.
 *
 * @param {{ name: string, minimumNode: string }} provider
 */
export function nodeCheck({ name, minimumNode }) {
  const [major = "0", minor = "0"] = minimumNode.split(".");
  const found = "process.versions.node";
  const parts = `${found}.split(".").map(Number)`;
  return (
    `(function(v){if(v[0]<${major}||v[0]===${major}&&v[1]<${minor}){` +
    `require("node:fs").writeSync(1,"The ${name} provider needs Node.js ${minimumNode} or newer; \\"node\\" on its PATH is "+${found}+".\\n");` +
    `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,2000);process.exit(1)}})(${parts});`
  );
}
