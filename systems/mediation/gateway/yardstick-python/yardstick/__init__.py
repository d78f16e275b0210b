"""What an answer costs on Granian where no gateway is."""
