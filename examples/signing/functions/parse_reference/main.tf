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

output "registry" {
  value = provider::signing::parse_reference(var.image).registry
}
# #endregion
