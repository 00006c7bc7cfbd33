terraform {
  required_providers {
    signing = {
      source = "trivet.local/trivet/signing"
    }
  }
}

variable "image" {
  description = "The image by its digest, as the build pushed it"
  type        = string
}

variable "registry_password" {
  type      = string
  sensitive = true
}

provider "signing" {
  default_signature_format = "bundle"
  timeout                  = "5m"

  registry {
    host     = "registry.example.com"
    username = "release"
    password = var.registry_password
  }
}

resource "signing_sign" "web" {
  image = var.image
}
