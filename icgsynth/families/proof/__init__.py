"""Is a claim right for every member?"""
