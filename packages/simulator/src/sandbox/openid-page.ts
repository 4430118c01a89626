type Form = {
  /** Where the form is sent, with all that was asked. */
  readonly action: string;
  readonly problem?: string;
};

/** The page of the sandbox's issuer on which somebody says who they are. */
export function signInPage({ action, problem }: Form): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>Sign in | Sandbox directory</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center }
main { width: min(22rem, 100% - 2rem) }
h1 { font-size: 1.25rem; margin: 0 0 .25rem }
p { margin: 0 0 1.25rem }
label { display: block; margin-bottom: 1rem }
input { display: block; box-sizing: border-box; width: 100%; font: inherit; padding: .4rem .5rem; margin-top: .25rem }
button { font: inherit; padding: .4rem .9rem; margin-right: .5rem }
</style>
</head>
<body>
<main>
<h1>Sandbox directory</h1>
<p>For trying single sign-on on this machine. You are whoever you say you are.</p>
<form method="post" action="${escaped(action)}">
${problem === undefined ? '' : `<p role="alert">${escaped(problem)}</p>`}
<label>E-mail address <input name="email" type="email" autocomplete="username" autofocus></label>
<label>Groups, with commas <input name="groups" autocomplete="off"></label>
<button name="answer" value="sign_in">Sign in</button>
<button name="answer" value="cancel" formnovalidate>Cancel</button>
</form>
</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
