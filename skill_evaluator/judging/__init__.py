"""Outputs scored by a model: blind, shuffled, in both orders, beside texts that must score low."""
