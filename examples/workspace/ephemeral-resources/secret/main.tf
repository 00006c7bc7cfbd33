terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

# #region
ephemeral "workspace_secret" "npm" {
  env          = "NPM_TOKEN"
  help_message = "Create a token at https://npm.example.com and store it as NPM_TOKEN."
}

# The token reaches the command, but neither the plan nor the state.
resource "terraform_data" "login" {
  provisioner "local-exec" {
    command     = "printf '//npm.example.com/:_authToken=%s' \"$NPM_TOKEN\" > .npmrc"
    environment = { NPM_TOKEN = ephemeral.workspace_secret.npm.value }
  }
}
# #endregion
