"""The gateway's own documentation: an OpenAPI document and a page that shows it, made from what is served."""
