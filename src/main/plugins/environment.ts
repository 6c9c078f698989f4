/** Names that hold secrets, or look as if they did. A plugin that needs one of its own keeps it in a file of its own. */
const secretName =
  /KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|AUTH(?!OR(?!I[SZ]))|^SSHPASS$|^(OPENAI|OPENROUTER|ANTHROPIC)_/i
/** Short words that other words have inside: PATH, PWD, COMPASS. */
const secretWord = /(^|_)(PAT|PW|PASS|CREDS?|JWT|BEARER|SESSION)(_|$)|_PWD(_|$)/i
/** Where the desktop and its agents are found; which terminal it is. Nobody comes in by that. */
const noSecret =
  /^(SSH_AUTH_SOCK|SESSION_MANAGER|DESKTOP_SESSION|(DBUS|XDG|GDM|GNOME(_DESKTOP)?|KDE(_FULL)?|TERM|ITERM|SHELL|TMUX|ZELLIJ)_SESSION(_(BUS_(ADDRESS|PID|WINDOWID)|CLASS|DESKTOP|DIR|ID|NAME|PATH|TYPE|UID|VERSION))?)$/i
/** "https://name:password@host", as proxies and databases are given. */
const secretValue = /:\/\/[^/\s@]*:[^/\s@]+@/
/** What is meant for Skein itself, or for a call that somebody else made. */
const notForPlugins = /^(ELECTRON_|NODE_OPTIONS$|CHIBI_(TOOL|HOOK|API))/i

/**
 * The environment that a plugin is given: the person's own, without what holds or looks like a secret. `CHIBI_HOME` is
 * the home that is open. Python writes no compiled modules beside a plugin, which would change what was trusted.
 */
export function pluginEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  home: string,
): Readonly<Record<string, string>> {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined || isSecret(name) || notForPlugins.test(name)) continue
    if (!secretValue.test(value)) given[name] = value
  }
  return { ...given, CHIBI_HOME: home, PYTHONDONTWRITEBYTECODE: '1' }
}

function isSecret(name: string): boolean {
  return (secretName.test(name) || secretWord.test(name)) && !noSecret.test(name)
}
