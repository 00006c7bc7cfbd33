terraform {
  required_providers {
    ids = {
      source = "trivet.local/trivet/ids"
    }
  }
}

provider "ids" {
  project = "acme"
  zone    = "us-central1-a"
}

# #region
variable "endpoint" {
  description = "The full name of an endpoint"
  type        = string
  default     = "projects/acme/locations/us-central1-f/endpoints/edge"
}

output "zone" {
  value = provider::ids::parse_endpoint_name(var.endpoint).location
}
# #endregion
