terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

# #region
data "workspace_parameter" "size" {
  name    = "size"
  default = "small"
}

data "workspace_workspace_preset" "large" {
  name        = "Large"
  description = "For builds of everything"

  parameters = {
    size = "large"
  }

  prebuilds {
    instances = 1

    expiration_policy {
      ttl = 86400
    }

    scheduling {
      timezone = "Europe/Berlin"

      schedule {
        cron      = "* 8-17 * * 1-5"
        instances = 3
      }
    }
  }
}
# #endregion
