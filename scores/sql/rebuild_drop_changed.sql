-- Ends the use of the list, so that another round of the same transaction can make its own.
DROP TABLE scores_rebuild_changed;
