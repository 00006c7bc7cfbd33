/** Where a private key begins in a text, by line. */
export function privateKeysIn(text: string): readonly number[] {
  const starts = [
    ...[...text.matchAll(plain)].map(({ index }) => index),
    ...[...text.matchAll(encoded)]
      .filter(([base64]) => Buffer.from(base64, "base64").toString("latin1").search(pem) === 0)
      .map(({ index }) => index),
  ];
  return starts.sort((a, b) => a - b).map((index) => text.slice(0, index).split("\n").length);
}

/** The first line in PEM (RFC 7468, OpenSSH, PGP, sigstore), and in the format of ssh.com. */
const pem = /-{4,5} ?BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}/;

/** The private part of a JSON Web Key (RFC 7518 §6), also within a string of another language. */
const jwk = /\bd\\*["']?\s*:\s*\\*["'`][\w-]{20,}/;

const plain = new RegExp(`${pem.source}|${jwk.source}|PuTTY-User-Key-File-\\d`, "g");

/** The same in base64, as in a Kubernetes secret: "-----BEGIN" and what follows. */
const encoded = /LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,80}/g;
