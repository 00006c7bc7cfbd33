import type { LocalSigning } from "../../../../../src/local/signing/start-local-signing";
import type { KeyPair } from "../policy-texts";
import { boss, dev, scanType } from "./images";

const scan = (policy?: object) => ({
  name: "scan",
  predicateType: scanType,
  ...(policy && { policy }),
});
const rego = (rule: string) => ({ type: "rego", data: `package sigstore\n${rule}\n` });
const cue = (data: string, more: object = {}) => ({ type: "cue", data, ...more });
/** The name of the TrustRoot that is trusted. */
export const trustRootRef = "ours";

const missing = { "trivet.local/missing-fields": "allowed" };

/** Specs of policies by what they ask for, and annotations where those differ. */
export function makeSpecs(
  { addresses, registryHost }: LocalSigning,
  ours: KeyPair,
): Readonly<Record<string, { readonly spec: object; readonly annotations?: object }>> {
  const { certificateAuthority: url, tokenIssuer: issuer, transparencyLog: log } = addresses;
  const by = (identity: object, more: object = {}) => ({
    name: "person",
    keyless: { url, trustRootRef, identities: [identity] },
    ...more,
  });
  const byDev = (more: object = {}) => by({ issuer, subject: dev }, more);
  const key = (more: object = {}) => ({ name: "key", key: { data: ours.pem }, ...more });
  const spec = (...authorities: readonly object[]) => ({ spec: { authorities } });
  const over = (policy: object, ...authorities: readonly object[]) => ({
    spec: { authorities, policy },
    annotations: missing,
  });
  const keyless = { url, trustRootRef, identities: [{ issuer, subject: dev }] };
  return {
    "passes all": spec({ static: { action: "pass" } }),
    "rejects all": spec({ static: { action: "fail", message: "no" } }),
    "rejects or a person": spec({ static: { action: "fail" } }, byDev()),
    "a person": spec(byDev()),
    "another person": spec(by({ issuer, subject: boss })),
    "a person of another issuer": spec(by({ issuer: "https://idp.example", subject: dev })),
    "a person by expression": spec(by({ issuerRegExp: "^http://127", subjectRegExp: "^dev@" })),
    "part of a person": spec(by({ issuer, subjectRegExp: "ev@ex" })),
    "one of two people": spec({
      keyless: {
        url,
        trustRootRef,
        identities: [
          { issuer, subject: "x@y.example" },
          { issuer, subject: boss },
        ],
      },
    }),
    "a person in the log": spec(byDev({ ctlog: { url: log, trustRootRef } })),
    "a person without SCT": spec({ keyless: { ...keyless, insecureIgnoreSCT: true } }),
    "a key": spec(key()),
    "a key in the log": spec(key({ ctlog: { url: log, trustRootRef } })),
    "a key by SHA-512": spec({ key: { data: ours.pem, hashAlgorithm: "sha512" } }),
    "a key or a person": spec(key(), byDev()),
    "a person elsewhere": spec(byDev({ source: [{ oci: `${registryHost}/other/place` }] })),
    "a person here": spec(byDev({ source: [{ oci: `${registryHost}/lab/app` }] })),
    "a person with a prefix": spec(byDev({ source: [{ tagPrefix: "release-" }] })),
    "a person with an empty source": spec(byDev({ source: [{}] })),
    "a stamped person": spec(byDev({ rfc3161timestamp: { trustRootRef } })),
    "a bundle": spec(byDev({ signatureFormat: "bundle" })),
    "a scan": spec(byDev({ attestations: [scan()] })),
    "a scan by a key": spec(key({ attestations: [scan()] })),
    "a scan as a bundle": spec(byDev({ signatureFormat: "bundle", attestations: [scan()] })),
    "a scan and a check": spec(
      byDev({
        attestations: [scan(), { name: "check", predicateType: "https://example.com/check/v1" }],
      }),
    ),
    "a type of nobody": spec(byDev({ attestations: [{ name: "a", predicateType: "openvex" }] })),
    "a good scan": {
      ...spec(byDev({ attestations: [scan(cue("predicate: critical: 0"))] })),
      annotations: missing,
    },
    "a bearable scan": {
      ...spec(byDev({ attestations: [scan(cue("predicate: critical: <5"))] })),
      annotations: missing,
    },
    "a scan that says more": {
      ...spec(byDev({ attestations: [scan(cue("predicate: other: int"))] })),
      annotations: missing,
    },
    "a scan that must say more": spec(
      byDev({ attestations: [scan(cue("predicate: other: int"))] }),
    ),
    "a field that only the policy sets": spec(
      byDev({ attestations: [scan(cue('predicate: other: "yes"'))] }),
    ),
    "a time before another": spec(
      byDev({
        attestations: [
          scan(
            cue(
              'import "time"\nbefore: time.Parse(time.RFC3339, "2049-10-09T17:10:27Z")\npredicate: critical: 0 | <before',
            ),
          ),
        ],
      }),
    ),
    "a good scan in Rego": spec(
      byDev({ attestations: [scan(rego("isCompliant { input.predicate.critical == 0 }"))] }),
    ),
    "an object in Rego": spec(
      byDev({ attestations: [scan(rego('isCompliant = {"result": true} { true }'))] }),
    ),
    "a set in Rego": spec(
      byDev({
        attestations: [
          scan(
            rego(
              'isCompliant[r] { r := {"result": input.predicate.critical == 0, "error": "bad"} }',
            ),
          ),
        ],
      }),
    ),
    "one of two in Rego": spec(
      byDev({
        attestations: [scan(rego('isCompliant[r] { r := {"result": [true, false][_]} }'))],
      }),
    ),
    "results in Rego": over(
      rego("isCompliant { count(input.authorityMatches.person.signatures) > 0 }"),
      byDev(),
      key(),
    ),
    "both of two": over(
      cue(`import "list"
authorityMatches: {
  person: signatures: list.MaxItems(9)
  key: signatures: list.MaxItems(9)
}`),
      byDev(),
      key(),
    ),
    "an undefined result": over(cue("authorityMatches: other: signatures: [...]"), byDev()),
    "a configuration of a user": over(
      cue('config: "linux/arm64": config: User: "app"', { fetchConfigFile: true }),
      byDev(),
    ),
    "a configuration of another user": over(
      cue('config: "linux/arm64": config: User: "root"', { fetchConfigFile: true }),
      byDev(),
    ),
    "configurations of a system": over(
      cue('config: [string]: os: "linux"', { fetchConfigFile: true }),
      byDev(),
    ),
    "a broken program": over(cue("a: {"), byDev()),
    "only warns": { spec: { mode: "warn", authorities: [byDev()] } },
    "a certificate authority elsewhere": spec({
      keyless: { ...keyless, url: "https://fulcio.elsewhere.example" },
    }),
  };
}
