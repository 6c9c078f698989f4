/**
 * What a plugin is given of the environment in which Skein was started: who and where the person is, which language they
 * speak, and where their desktop is found, by which a plugin tells them something. `PATH` is not among these: see
 * safeSearchPath.
 *
 * A list of what is given, not of what is kept back: nobody can list the names that hold a key, or that have a program
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
/** What is Skein's own, or is set for each plugin. */
const notByName = /^(PATH$|ELECTRON_|NODE_OPTIONS$|CHIBI_|SKEIN_)/i

/**
 * The environment of every plugin, without `PATH`. `CHIBI_HOME` is the home that is open. More is given where the person
 * names it: `SKEIN_PLUGIN_ENV` holds names, with commas or blanks between them.
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
