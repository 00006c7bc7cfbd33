# Makes the commands of this shell use the services of `npm run local:signing`, on the port on which they run:
#
#     . ./local-signing.sh
#
# The identity token is valid for 10 minutes. Then run this again.
SIGSTORE_ID_TOKEN="$(cat .trivet/signing/identity-token)"
TF_VAR_built="$(cat .trivet/signing/sample-image)"
# The sample image begins with the address of the registry, such as 127.0.0.1:5000.
SIGNING_PORT="${TF_VAR_built#*:}"
SIGNING_PORT="${SIGNING_PORT%%/*}"
export SIGSTORE_ID_TOKEN TF_VAR_built SIGNING_PORT
