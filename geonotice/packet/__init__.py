"""The papers of one occasion: renderers that return bytes, and the folder of them as a whole."""
