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

resource "ids_endpoint" "edge" {
  endpoint_id = "edge"
  network     = "projects/acme/global/networks/edge"
  severity    = "HIGH"
}
