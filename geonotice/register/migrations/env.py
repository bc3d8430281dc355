"""Run the migrations in the transaction that the program has begun: all of them, or none."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
