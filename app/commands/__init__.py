"""The commands of `dragoman`, one a module, each a function of the module's name."""
