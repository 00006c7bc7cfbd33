terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

# #region
data "workspace_parameter" "region" {
  name    = "region"
  default = "europe"
}

data "workspace_workspace_tags" "this" {
  tags = {
    region = data.workspace_parameter.region.value
    size   = "large"
  }
}
# #endregion
