"""Pages on which users register, log in and change their accounts, and organisers all of them."""
