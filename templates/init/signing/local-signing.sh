# Makes the commands of this shell use the services of `npm run local:signing`:
#
#     . ./local-signing.sh
#
# The identity token is valid for 10 minutes. Then run this again.
export SIGNING_PORT=5000
SIGSTORE_ID_TOKEN="$(cat .trivet/signing/identity-token)"
TF_VAR_built="$(cat .trivet/signing/sample-image)"
export SIGSTORE_ID_TOKEN TF_VAR_built
