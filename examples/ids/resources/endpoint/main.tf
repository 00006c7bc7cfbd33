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
resource "ids_endpoint" "edge" {
  endpoint_id       = "edge"
  location          = "us-central1-f"
  network           = "projects/acme/global/networks/edge"
  severity          = "HIGH"
  description       = "Everything that comes in from outside"
  threat_exceptions = ["20984"]
  traffic_logs      = true

  labels = {
    environment = "production"
    team        = "security"
  }

  timeouts {
    create = "2h"
  }
}

output "forwarding_rule" {
  description = "Where packet mirroring sends its copies"
  value       = ids_endpoint.edge.endpoint_forwarding_rule
}
# #endregion
