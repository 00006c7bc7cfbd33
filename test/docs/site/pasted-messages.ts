/** Messages as people paste them, with the part of the address of the page that must come first. */
export const pastedMessages: readonly (readonly [text: string, page: string])[] = [
  // Of the commands.
  ["trivet: There is no cdktf.json in /home/ada/app or a folder above it.", "messages/trivet"],
  ['trivet: No stack is called "wacht".', "messages/trivet"],
  [
    "trivet: The kind of the project is missing. Without a terminal, trivet cannot ask for it.",
    "messages/trivet",
  ],
  [
    'The app could not synthesize the stacks: "npm run --silent app" ended with 1 at watch-stack.ts:21:18.',
    "messages/trivet",
  ],
  ['trivet: --var must be name=value (got "size").', "messages/trivet"],
  ["trivet: Other stacks use the outputs of network: app.", "messages/trivet"],
  ["Error: --refuse has nothing to compare with", "messages/trivet"],
  ["trivet: Terraform's option -auto-approve cannot be set here.", "messages/trivet"],
  ['trivet: "npm run synth" ended without writing cdktf.out/manifest.json.', "messages/trivet"],
  [
    "--ci cannot be used for the kind template: a template is pushed to a platform, not deployed.",
    "messages/trivet",
  ],
  // Of the providers.
  ["Error: Endpoint Already Exists", "messages/ids"],
  [
    "Error: No Credentials\n  with provider ids\nThe ids provider has no credentials for the service.",
    "messages/ids",
  ],
  [
    "Error: Permission Denied\n  with ids_endpoint.edge, projects/my-project: caller lacks permission",
    "messages/ids",
  ],
  [
    "Error: Missing Project\nThe endpoint has no project, the provider has no project",
    "messages/ids",
  ],
  ["Warning: Location Is Not A Zone", "messages/ids"],
  ["Error: Quota Exhausted", "messages/ids"],
  [
    "Error: Missing Secret\nThe workspace needs a secret for the environment variable REGISTRY_TOKEN",
    "messages/workspace",
  ],
  [
    "Missing Parameter Value: The build of the workspace has no value for the parameter region",
    "messages/workspace",
  ],
  ["Error: Missing External Token", "messages/workspace"],
  ['trivet: The template has no preset "Lagre". It has "Large".', "messages/workspace"],
  ["Another build is already running", "messages/workspace"],
  [
    'The parameter "regoin" is not present in the template; did you mean "region"?',
    "guide/templates-in-hcl",
  ],
  [
    "Error: No Identity To Sign With\nSigning 127.0.0.1:5000/build/app@sha256:9a45 failed: There is no identity token",
    "messages/signing",
  ],
  ["Error: Registry Requires Credentials", "messages/signing"],
  ["Error: Image Refused By Policy", "messages/signing"],
  ["Content Does Not Match Its Digest", "messages/signing"],
  ["Warning: Earlier Bundles Were Kept", "messages/signing"],
  ["Error: New Signature Does Not Verify", "messages/signing"],
  [
    "Error: Provider Not Configured\nTerraform requested an operation before it configured the provider.",
    "messages/all-providers",
  ],
  // Of the constructs.
  [
    'endpointId: must start with a lowercase letter (got "Edge") [INVALID_ARGUMENT]',
    "codes/INVALID_ARGUMENT",
  ],
  [
    "Warning [endpoint-without-network] at watch/edge: network should be set",
    "codes/endpoint-without-network",
  ],
  [
    "description: must not contain a part of a token: write Fn.substr [TOKEN_MISUSE]",
    "codes/TOKEN_MISUSE",
  ],
  [
    "WARN [dev/main]: is dropped by the platform with its apps, variables and scripts [agent-dropped]",
    "codes/agent-dropped",
  ],
  // Of verdicts.
  ["did not count (IDENTITY): signed by dev@example.com", "verdict-codes"],
  [
    "`registry.example.org/app` is refused, because no policy applies to it (NOT_COVERED).",
    "verdict-codes",
  ],
  // Of Terraform.
  ["Error: Instance cannot be destroyed", "troubleshooting"],
  ["Error: Backend configuration changed", "troubleshooting"],
  ["Error: Failed to query available provider packages", "troubleshooting"],
  ["Terraform says: Already locked for workspace creation: default", "troubleshooting"],
  ["Required parameter not provided; parameter value is null", "troubleshooting"],
  ["Another run has locked the state", "locked-the-state"],
  [
    "the cached package does not match any of the checksums recorded in the dependency lock file",
    "troubleshooting",
  ],
];
