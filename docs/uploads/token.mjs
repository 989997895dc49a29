// What /upload-token answers. `asked`: the JSON of the request; `session`: what your site remembers of the visitor.
export async function makeToken(asked, session) {
  // A visitor goes on with their own upload session only.
  const mine = asked.uploadSessionId === session.uploads ? session.uploads : null;
  const answer = await fetch("https://brightlist.example/api/v1/client-tokens", {
    method: "POST",
    headers: { Authorization: `Bearer ${process.env.BRIGHTLIST_API_KEY}`, "Content-Type": "application/json" },
    body: JSON.stringify({ uploadSessionId: mine, maxFiles: 20 }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const made = await answer.json();
  session.uploads = made.uploadSessionId;
  return { token: made.token };
}
