terraform {
  required_providers {
    signing = {
      source = "trivet.local/trivet/signing"
    }
  }
}

# #region
variable "image" {
  description = "The image by its tag or digest"
  type        = string
}

variable "certificate_authority" {
  type    = string
  default = "https://fulcio.sigstore.dev"
}

variable "issuer" {
  description = "Who issues the identity tokens of the release"
  type        = string
  default     = "https://accounts.google.com"
}

data "signing_verify" "web" {
  image = var.image

  policy = jsonencode({
    apiVersion = "policy.sigstore.dev/v1beta1"
    kind       = "ClusterImagePolicy"
    metadata   = { name = "signed-by-the-release" }
    spec = {
      authorities = [{
        keyless = {
          identities = [{ issuer = var.issuer, subject = "release@example.com" }]
          url        = var.certificate_authority
        }
      }]
      images = [{ glob = "**" }]
    }
  })
}

output "verified_image" {
  value = data.signing_verify.web.verified_ref
}
# #endregion
