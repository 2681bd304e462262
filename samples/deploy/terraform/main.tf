terraform {
  required_version = ">= 1.3"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.29"
    }
  }
}

resource "aws_dynamodb_table" "locks" {
  name                        = "locks"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "key"
  deletion_protection_enabled = true

  attribute {
    name = "key"
    type = "S"
  }

  ttl {
    attribute_name = "expiresAt"
    enabled        = true
  }
}

locals {
  policy     = jsondecode(file("${path.module}/../iam-policy.json"))
  statements = { for statement in local.policy.Statement : statement.Sid => statement }
}

resource "aws_iam_policy" "locks" {
  name        = "dynamodb-lock"
  description = "Locks in the DynamoDB table ${aws_dynamodb_table.locks.name}"

  policy = jsonencode({
    Version   = local.policy.Version
    Statement = [for sid in var.statements : merge(local.statements[sid], { Resource = aws_dynamodb_table.locks.arn })]
  })
}

resource "aws_iam_role_policy_attachment" "application" {
  role       = var.application_role_name
  policy_arn = aws_iam_policy.locks.arn
}
