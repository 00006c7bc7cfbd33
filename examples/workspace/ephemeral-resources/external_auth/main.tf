terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

# #region
ephemeral "workspace_external_auth" "forge" {
  id       = "forge"
  optional = true
}

# The token reaches the command, but neither the plan nor the state.
resource "terraform_data" "login" {
  provisioner "local-exec" {
    command     = "printf 'machine forge.example.com password %s' \"$TOKEN\" > .netrc"
    environment = { TOKEN = ephemeral.workspace_external_auth.forge.access_token }
  }
}
# #endregion
