/**
 * Fuses of Electron's executable: switches that are set once, when the package is made (docs/security.md has the table).
 *
 * `runAsNode` stays on where a package brings the command `skein`, which is on Linux alone: it runs in this executable
 * without a display, and Electron's main process needs one there. On Linux an executable has no rights of its own that
 * another program of the same person could borrow; on macOS and Windows it has, so there it is off.
 *
 * @param {NodeJS.Platform} platform the package's
 * @param {number} electron major version: a fuse that it does not have cannot be set
 */
exports.fusesOf = (platform, electron) => ({
  runAsNode: platform === 'linux',
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  // Electron checks the archive's hash on these two alone.
  enableEmbeddedAsarIntegrityValidation: platform !== 'linux',
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  ...(electron >= 29 ? { grantFileProtocolExtraPrivileges: false } : {}),
})
