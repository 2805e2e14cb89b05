"""ROC curves and what is read off them: areas, hull, operating points, costs, calibration."""
