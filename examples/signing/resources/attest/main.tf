terraform {
  required_providers {
    signing = {
      source = "trivet.local/trivet/signing"
    }
  }
}

# #region
variable "image" {
  description = "The image by its digest, as the build pushed it"
  type        = string
}

resource "signing_attest" "web" {
  image = var.image

  predicates {
    type = "https://slsa.dev/provenance/v1"
    json = jsonencode({
      buildDefinition = {
        buildType          = "https://example.com/build/v1"
        externalParameters = { target = "web" }
      }
      runDetails = {
        builder = { id = "https://ci.example.com" }
      }
    })
  }
}
# #endregion
