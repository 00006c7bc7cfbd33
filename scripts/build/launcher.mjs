// @ts-check

/**
 * The file that Terraform starts: a shell script, because the environment must change before node reads it.
 *
 * NODE_EXTRA_CA_CERTS would slow down every start by about 40 ms, so it is renamed (HTTPS clients load the
 * file when they first connect). NODE_OPTIONS and NODE_V8_COVERAGE are meant for the user's own programs.
 * `command` and `${0%/*}` are built into the shell, so nothing is forked before `exec`.
 *
 * @param {{ name: string, entry: string }} provider
 */
export function launcher({ name, entry }) {
  return `#!/bin/sh
if [ -n "\${NODE_EXTRA_CA_CERTS:-}" ]; then
  TRIVET_EXTRA_CA_CERTS=$NODE_EXTRA_CA_CERTS
  export TRIVET_EXTRA_CA_CERTS
fi
unset NODE_EXTRA_CA_CERTS NODE_OPTIONS NODE_V8_COVERAGE
if ! command -v node >/dev/null 2>&1; then
  echo "The ${name} provider needs Node.js, but \\"node\\" is not on its PATH. Install Node.js 20.20 or newer, or add its folder to PATH." >&2
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
 * @param {{ name: string, minimum: string }} provider
 */
export function nodeCheck({ name, minimum }) {
  const [major = "0", minor = "0"] = minimum.split(".");
  const found = "process.versions.node";
  const parts = `${found}.split(".").map(Number)`;
  return (
    `(function(v){if(v[0]<${major}||v[0]===${major}&&v[1]<${minor}){` +
    `process.stderr.write("The ${name} provider needs Node.js ${minimum} or newer; \\"node\\" on its PATH is "+${found}+".\\n");` +
    `process.exit(1)}})(${parts});`
  );
}
