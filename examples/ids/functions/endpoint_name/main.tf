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
# The full name of an endpoint that another configuration manages.
output "endpoint" {
  value = provider::ids::endpoint_name("acme", "us-central1-f", "edge")
}
# #endregion
