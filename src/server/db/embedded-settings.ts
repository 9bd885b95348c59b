/**
 * How the embedded PostgreSQL is tuned: for one small machine and one server process, quiet when idle. Everything that
 * guards data (fsync, synchronous_commit, full_page_writes, checksums) stays at its safe default.
 */
export function embeddedSettings(socketDirectory: string): Record<string, string> {
  return {
    // No TCP port: nothing to collide with, nothing to reach from outside.
    listen_addresses: '',
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: '0700',
    max_connections: '60',
    superuser_reserved_connections: '3',

    shared_buffers: '96MB',
    effective_cache_size: '512MB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    // Fewer processes: each costs some megabytes, and requests here are short.
    io_method: 'sync',
    max_worker_processes: '2',
    max_parallel_workers_per_gather: '0',
    max_logical_replication_workers: '0',
    max_wal_senders: '0',
    wal_level: 'minimal',
    autovacuum_max_workers: '1',
    autovacuum_naptime: '30s',
    jit: 'off',

    min_wal_size: '48MB',
    max_wal_size: '512MB',
    checkpoint_timeout: '10min',
    random_page_cost: '1.1',

    // A writing transaction that is left open holds the horizon of every pull back.
    idle_in_transaction_session_timeout: '60s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    // Errors of statements are answered to their caller; in the log they would carry the rows' values.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '',
  }
}
