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

resource "signing_sign" "web" {
  image            = var.image
  signature_format = "bundle"
}

output "signed_image" {
  value = signing_sign.web.signed_ref
}
# #endregion
