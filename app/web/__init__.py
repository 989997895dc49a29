"""Code shared by both HTTP entry points: authentication, answers to refusals, headers, request ids, signed
files.
"""
