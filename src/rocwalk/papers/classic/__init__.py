"""Classic: Castro da Silva (2006), Análise ROC, an overview after Fawcett (2006).

It prints one table of data, five numbered equations and two functions. Figuras 2, 4 and 5 are
drawn without data; rows and pictures there use samples of ours and say so.
"""
