"use strict";

// Shows the document that the service answers by. Nothing is asked of another host: no badge of a validator, no other document.
SwaggerUIBundle({
  url: "../openapi.yaml",
  dom_id: "#calls",
  validatorUrl: null,
  queryConfigEnabled: false,
  deepLinking: true,
  tryItOutEnabled: true,
});
