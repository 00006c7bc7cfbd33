terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

# #region
data "workspace_parameter" "size" {
  name         = "size"
  display_name = "Size"
  form_type    = "dropdown"
  default      = "small"

  option {
    name        = "Small"
    value       = "small"
    description = "For everyday work"
  }
  option {
    name        = "Large"
    value       = "large"
    description = "For builds of everything"
  }
}

data "workspace_parameter" "disk" {
  name        = "disk"
  description = "Disk in GiB. It can only grow."
  type        = "number"
  form_type   = "slider"
  default     = "20"
  mutable     = true

  validation {
    min       = 10
    max       = 100
    monotonic = "increasing"
  }
}

resource "terraform_data" "machine" {
  input = {
    disk = data.workspace_parameter.disk.value
    size = data.workspace_parameter.size.value
  }
}
# #endregion
