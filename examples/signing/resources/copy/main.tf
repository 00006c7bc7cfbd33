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

variable "destination" {
  description = "The repository of released images, such as registry.example.com/release/web"
  type        = string
}

resource "signing_copy" "web" {
  source      = var.image
  destination = var.destination
  tags        = ["1.4.2", "latest"]
}

resource "signing_sign" "signature" {
  image = signing_copy.web.copied_ref
}
# #endregion
