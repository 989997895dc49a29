"""Writes the call of an operation with its example in Python, Node, PHP and Go, beside that of curl."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from app.web.curl import fill_address, write_curl
from app.web.json_text import format_json

SYNTAX: Mapping[str, str] = {
    "curl": "Shell",
    "Python": "Python",
    "Node": "JavaScript",
    "PHP": "PHP",
    "Go": "Go",
}
"""Every language with the name by which viewers of OpenAPI documents color its syntax."""

_KEYS: Mapping[str, tuple[str, str]] = {
    "curl": ("$API_KEY", "{key}"),
    "Python": ("f\"Bearer {os.environ['API_KEY']}\"", '"Bearer {key}"'),
    "Node": ("`Bearer ${process.env.API_KEY}`", '"Bearer {key}"'),
    "PHP": ('"Authorization: Bearer " . getenv("API_KEY")', '"Authorization: Bearer {key}"'),
    "Go": ('"Bearer "+os.Getenv("API_KEY")', '"Bearer {key}"'),
}
"""How the code of each language reads the key, and how it has a key in itself."""


@dataclass(frozen=True, slots=True)
class CallExample:
    """A program that makes one call; `language` as people write it."""

    language: str
    code: str

    @property
    def name(self) -> str:
        """The language as part of a class or an id."""
        return self.language.lower()

    def fill_in(self, key: str | None) -> str:
        """The code with the key in the place of the variable API_KEY, ready to paste; None leaves the variable."""
        variable, written = _KEYS[self.language]
        # A call with a client token has no key in it.
        if not key or variable not in self.code:
            return self.code
        code = self.code.replace(variable, written.format(key=key))
        # The module that read the variable is imported only if something else needs it: Go refuses unused imports.
        if self.language == "Python":
            code = code.replace("import os\n", "", 1).lstrip()
        elif self.language == "Go" and "os." not in code:
            code = code.replace('\t"os"\n', "")
        return code


@dataclass(frozen=True, slots=True)
class _Call:
    """The parts of a call. `form`: the text fields of a form, with which `photo`, the name of a field, sends a
    file.
    """

    method: str
    url: str
    is_repeatable: bool
    body: Any = None
    form: Mapping[str, str] | None = None
    photo: str = ""


def write_calls(url: str, method: str, operation: Mapping[str, Any]) -> Sequence[CallExample]:
    """Write the call in every language; all read the key from the environment variable API_KEY, or, where the
    operation takes a client token, that from CLIENT_TOKEN.
    """
    call = _read(url, method, operation)
    variable = "CLIENT_TOKEN" if operation.get("security") else "API_KEY"
    writers: Mapping[str, Callable[[_Call], str]] = {"Python": _python, "Node": _node, "PHP": _php, "Go": _go}
    written = {"curl": write_curl(url, method, operation)} | {name: write(call) for name, write in writers.items()}
    return [CallExample(language, code.replace("API_KEY", variable)) for language, code in written.items()]


def _read(url: str, method: str, operation: Mapping[str, Any]) -> _Call:
    is_repeatable = any(each["in"] == "header" for each in operation.get("parameters", ()))
    address = fill_address(url, operation)
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        example = content.get("example", {})
        if media_type == "multipart/form-data":
            photo = f"{example.get('serviceType', 'exterior')}Photo0"
            return _Call(method, address, is_repeatable, form=example, photo=photo)
        return _Call(method, address, is_repeatable, body=example)
    return _Call(method, address, is_repeatable)


def _python(call: _Call) -> str:
    imports = "import os\n" + ("import uuid\n" if call.is_repeatable else "") + "\nimport requests\n"
    headers = ['"Authorization": f"Bearer {os.environ[\'API_KEY\']}",']
    if call.is_repeatable:
        headers.append('"Idempotency-Key": str(uuid.uuid4()),')
    options = [f"headers={{\n{indent(chr(10).join(headers), '    ')}\n}},"]
    if call.form is not None:
        options.append(f"data={_write_python(call.form)},")
        options.append(f'files={{"{call.photo}": open("front.jpg", "rb")}},')
    elif call.body is not None:
        options.append(f"json={_write_python(call.body)},")
    options.append("timeout=60,")
    arguments = indent("\n".join([f"{json.dumps(call.url)},", *options]), "    ")
    return (
        f"{imports}\nanswer = requests.{call.method.lower()}(\n{arguments}\n)\n"
        "answer.raise_for_status()\nprint(answer.json())"
    )


def _write_python(value: Any) -> str:
    """JSON as a literal of Python."""
    return format_json(value, {True: "True", False: "False", None: "None"})


def _node(call: _Call) -> str:
    lines = []
    headers = ["Authorization: `Bearer ${process.env.API_KEY}`,"]
    options = [f'method: "{call.method}",']
    if call.is_repeatable:
        headers.append('"Idempotency-Key": crypto.randomUUID(),')
    if call.form is not None:
        fields = [f"body.append({json.dumps(name)}, {json.dumps(text)});" for name, text in call.form.items()]
        photo = f'body.append("{call.photo}", await openAsBlob("front.jpg"), "front.jpg");'
        lines = ['import { openAsBlob } from "node:fs";\n', "const body = new FormData();", *fields, photo]
    elif call.body is not None:
        headers.append('"Content-Type": "application/json",')
    options.append(f"headers: {{\n{indent(chr(10).join(headers), '  ')}\n}},")
    if call.form is not None:
        options.append("body,")
    elif call.body is not None:
        options.append(f"body: JSON.stringify({format_json(call.body)}),")
    return "\n".join(
        [
            *lines,
            f"const answer = await fetch({json.dumps(call.url)}, {{",
            indent("\n".join(options), "  "),
            "});",
            "if (!answer.ok) throw new Error(await answer.text());",
            "console.log(await answer.json());",
        ]
    )


def _php(call: _Call) -> str:
    headers = ['"Authorization: Bearer " . getenv("API_KEY"),']
    if call.is_repeatable:
        headers.append('"Idempotency-Key: " . bin2hex(random_bytes(16)),')
    options = [f'CURLOPT_CUSTOMREQUEST => "{call.method}",', "CURLOPT_RETURNTRANSFER => true,"]
    if call.form is not None:
        fields = [f"{_quote_php(name)} => {_quote_php(text)}," for name, text in call.form.items()]
        fields.append(f'"{call.photo}" => new CURLFile("front.jpg"),')
        options.append(f"CURLOPT_POSTFIELDS => [\n{indent(chr(10).join(fields), '    ')}\n],")
    elif call.body is not None:
        headers.append('"Content-Type: application/json",')
        options.append(f"CURLOPT_POSTFIELDS => <<<'JSON'\n{format_json(call.body)}\nJSON,")
    options.append(f"CURLOPT_HTTPHEADER => [\n{indent(chr(10).join(headers), '    ')}\n],")
    return "\n".join(
        [
            "<?php",
            f"$call = curl_init({_quote_php(call.url)});",
            f"curl_setopt_array($call, [\n{indent(chr(10).join(options), '    ')}\n]);",
            "$answer = curl_exec($call);",
            "if ($answer === false || curl_getinfo($call, CURLINFO_RESPONSE_CODE) >= 400) {",
            '    exit("$answer\\n");',
            "}",
            "print_r(json_decode($answer, true));",
        ]
    )


def _quote_php(text: str) -> str:
    # PHP fills in no variables in single quotes.
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _go(call: _Call) -> str:
    imports = {"fmt", "io", "net/http", "os"}
    before, body = [], "nil"
    headers = {"Authorization": '"Bearer "+os.Getenv("API_KEY")'}
    if call.is_repeatable:
        imports |= {"crypto/rand"}
        headers["Idempotency-Key"] = "rand.Text()"
    if call.form is not None:
        imports |= {"bytes", "mime/multipart"}
        body = "&body"
        headers["Content-Type"] = "form.FormDataContentType()"
        before = ["var body bytes.Buffer", "form := multipart.NewWriter(&body)"]
        before += [f"form.WriteField({json.dumps(name)}, {_quote_go(text)})" for name, text in call.form.items()]
        before += [f'part, err := form.CreateFormFile("{call.photo}", "front.jpg")', *_CHECK_GO]
        before += ['photo, err := os.Open("front.jpg")', *_CHECK_GO]
        before += ["io.Copy(part, photo)", "form.Close()"]
    elif call.body is not None:
        imports |= {"strings"}
        body = "body"
        headers["Content-Type"] = '"application/json"'
        before = [f"body := strings.NewReader({_quote_go(format_json(call.body))})"]
    lines = [
        *before,
        f'request, err := http.NewRequest("{call.method}", {json.dumps(call.url)}, {body})',
        *_CHECK_GO,
        *(f'request.Header.Set("{name}", {value})' for name, value in headers.items()),
        "answer, err := http.DefaultClient.Do(request)",
        *_CHECK_GO,
        "defer answer.Body.Close()",
        "text, err := io.ReadAll(answer.Body)",
        *_CHECK_GO,
        "fmt.Println(answer.Status, string(text))",
    ]
    listed = "\n".join(f'\t"{each}"' for each in sorted(imports))
    code = "\n".join("\t" + line for line in lines)
    return f"package main\n\nimport (\n{listed}\n)\n\nfunc main() {{\n{code}\n}}"


_CHECK_GO = ("if err != nil {", "\tpanic(err)", "}")


def _quote_go(text: str) -> str:
    return f"`{text}`" if "`" not in text else json.dumps(text, ensure_ascii=False)
