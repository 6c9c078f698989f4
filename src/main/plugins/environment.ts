/**
 * Variables of Skein's environment that a plugin gets: who and where the person is, which language they
 * speak, and their desktop, by which a plugin can notify them. `PATH` is not among these: see
 * safeSearchPath.
 *
 * A list of what passes, not of what is held back: nobody can list the names that hold a key, or that make a program
 * load code which is in no hash (LD_PRELOAD, BASH_ENV, PYTHONPATH, NODE_OPTIONS, PERL5LIB, RUBYLIB).
 */
const given = new Set([
  ...['HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TZ', 'TERM', 'COLORTERM', 'NO_COLOR'],
  ...['LANG', 'LANGUAGE'],
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'],
  ...['XDG_CURRENT_DESKTOP', 'XDG_SESSION_TYPE'],
  ...['DISPLAY', 'XAUTHORITY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS'],
  'CHIBI_VERBOSE',
])
const locale = /^LC_[A-Z]+$/
/** Variables that are Skein's own, or are set for each plugin. */
const notByName = /^(PATH$|ELECTRON_|NODE_OPTIONS$|CHIBI_|SKEIN_)/i

/**
 * Returns the environment of every plugin, without `PATH`. `CHIBI_HOME` is the open home. `SKEIN_PLUGIN_ENV` names
 * further variables to pass on, separated by commas or blanks.
 */
export function pluginEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  home: string,
): Readonly<Record<string, string>> {
  const named = new Set(
    (from.SKEIN_PLUGIN_ENV ?? '').split(/[\s,]+/).filter((name) => !notByName.test(name)),
  )
  const all = Object.entries(from).flatMap(([name, value]) =>
    value !== undefined && (given.has(name) || locale.test(name) || named.has(name))
      ? [[name, value] as const]
      : [],
  )
  return { ...Object.fromEntries(all), CHIBI_HOME: home, PYTHONDONTWRITEBYTECODE: '1' }
}
