/**
 * Returns the settings of the embedded PostgreSQL. They suit one small machine and one server process, and cause little
 * work when nothing happens. Everything that protects data (fsync, synchronous_commit, full_page_writes, checksums) keeps
 * its safe default.
 */
export function embeddedSettings(socketDirectory: string): Record<string, string> {
  return {
    // No TCP port: no conflict with another server, and no access from outside.
    listen_addresses: '',
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: '0700',
    max_connections: '60',
    superuser_reserved_connections: '3',

    shared_buffers: '96MB',
    effective_cache_size: '512MB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    // Few processes, because each costs some megabytes, and short requests do not need more.
    io_method: 'sync',
    max_worker_processes: '2',
    max_parallel_workers_per_gather: '0',
    max_logical_replication_workers: '0',
    max_wal_senders: '0',
    wal_level: 'minimal',
    autovacuum_max_workers: '1',
    // The interval is short, because a plan that was made while a table was empty is used until the table is analysed.
    autovacuum_naptime: '15s',
    jit: 'off',

    min_wal_size: '48MB',
    max_wal_size: '512MB',
    checkpoint_timeout: '10min',
    random_page_cost: '1.1',

    // A transaction that has written must not stay open: until it ends, `pull` returns no rows that were written later.
    idle_in_transaction_session_timeout: '60s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    // Errors of statements are not logged: the callers get these errors, and in the log the errors would reveal values of rows.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '',
  }
}
