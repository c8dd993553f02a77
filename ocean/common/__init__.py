"""Parts that know nothing of seas: parameters, files, errors, records, progress and facts of the machine."""
