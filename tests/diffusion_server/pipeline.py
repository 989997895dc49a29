"""A Stable Diffusion that inpaints, as small as can be: random weights of a fixed seed, on the processor alone."""

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Before JAX is imported: it looks once. To compile quickly matters more here than to compute quickly.
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import jax
import numpy as np
from diffusers import (
    FlaxAutoencoderKL,
    FlaxDDIMScheduler,
    FlaxStableDiffusionInpaintPipeline,
    FlaxUNet2DConditionModel,
)
from PIL import Image
from transformers import CLIPTextConfig, CLIPTokenizer, FlaxCLIPTextModel
from transformers.models.clip.tokenization_clip import bytes_to_unicode

SEED = 7
OWN_SIZE = (192, 128)
"""The one size that is denoised, whatever the picture's: for each other one JAX would compile anew."""
STEPS = 4
GUIDANCE = 7.5
TOKENS = 77
Progress = Callable[[int], None]
"""Told how many steps of a picture are done."""


class WatchedScheduler(FlaxDDIMScheduler):
    """DDIM that tells of each step when it is really computed."""

    tell: Callable[[Any], None]

    def step(self, state: Any, model_output: Any, timestep: Any, *rest: Any, **options: Any) -> Any:
        jax.debug.callback(self.tell, timestep, ordered=True)
        return super().step(state, model_output, timestep, *rest, **options)


class TinyDiffusion:
    """The model, compiled once and then ready. `progress` is told of every step; one picture at a time."""

    def __init__(self, cache: Path, progress: Progress) -> None:
        jax.config.update("jax_compilation_cache_dir", str(cache))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        self._progress, self._done = progress, 0
        self._pipeline = _build_pipeline(self._count)
        self._params = _draw_params(self._pipeline)
        static = ("num_inference_steps", "height", "width")
        self._generate = jax.jit(self._pipeline._generate, static_argnames=static)

    def edit(self, picture: Image.Image, free: Image.Image, prompt: str) -> Image.Image:
        """The picture (RGB) with what the model makes of it where `free` (L, as large) is white."""
        whole, hole = picture.resize(OWN_SIZE), free.resize(OWN_SIZE, Image.Resampling.NEAREST)
        words, masked, mask = self._pipeline.prepare_inputs(prompt, whole, hole)
        self._done = 0
        made = self._generate(
            words,
            mask,
            masked,
            self._params,
            jax.random.PRNGKey(SEED),
            num_inference_steps=STEPS,
            width=OWN_SIZE[0],
            height=OWN_SIZE[1],
            guidance_scale=GUIDANCE,
        )
        pixels = (np.asarray(made)[0] * 255).round().astype(np.uint8)
        return Image.composite(Image.fromarray(pixels).resize(picture.size), picture, free)

    def _count(self, _timestep: Any) -> None:
        self._done += 1
        self._progress(self._done)


def _build_pipeline(tell: Callable[[Any], None]) -> FlaxStableDiffusionInpaintPipeline:
    tokenizer = _build_tokenizer()
    scheduler = WatchedScheduler(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear", steps_offset=1)
    scheduler.tell = tell
    text = CLIPTextConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    vae = FlaxAutoencoderKL(
        block_out_channels=(8, 16, 32),
        down_block_types=("DownEncoderBlock2D",) * 3,
        up_block_types=("UpDecoderBlock2D",) * 3,
        norm_num_groups=4,
    )
    unet = FlaxUNet2DConditionModel(
        in_channels=9,  # what is denoised, what is behind the mask, the mask
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        block_out_channels=(32, 64),
        layers_per_block=1,
        attention_head_dim=8,
        cross_attention_dim=32,
    )
    encoder = FlaxCLIPTextModel(text, _do_init=False)
    return FlaxStableDiffusionInpaintPipeline(vae, encoder, tokenizer, unet, scheduler, None, None)


def _build_tokenizer() -> CLIPTokenizer:
    """CLIP's, with a vocabulary of single bytes: no words that would have to be downloaded."""
    letters = list(bytes_to_unicode().values())
    words = [*letters, *(f"{letter}</w>" for letter in letters), "<|startoftext|>", "<|endoftext|>"]
    with tempfile.TemporaryDirectory() as folder:
        vocabulary, merges = Path(folder) / "vocab.json", Path(folder) / "merges.txt"
        vocabulary.write_text(json.dumps({word: place for place, word in enumerate(words)}))
        merges.write_text("#version: 0.2\n")
        return CLIPTokenizer(str(vocabulary), str(merges), model_max_length=TOKENS)


def _draw_params(pipeline: FlaxStableDiffusionInpaintPipeline) -> dict[str, Any]:
    """Weights by chance, as a fresh network has them. To let the modules draw them would compile each one."""
    chance = np.random.default_rng(SEED)
    key = jax.random.PRNGKey(SEED)

    def draw(path: Any, wanted: jax.ShapeDtypeStruct) -> Any:
        if len(wanted.shape) == 1:
            fill = 1.0 if path[-1].key == "scale" else 0.0
            return np.full(wanted.shape, fill, np.float32)
        inputs = np.prod(wanted.shape[:-1])
        return (chance.standard_normal(wanted.shape) / np.sqrt(inputs)).astype(np.float32)

    def drawn(init: Callable[[], Any]) -> Any:
        return jax.tree_util.tree_map_with_path(draw, jax.eval_shape(init))

    return {
        "text_encoder": drawn(lambda: pipeline.text_encoder.init_weights(key, (1, TOKENS))),
        "vae": drawn(lambda: pipeline.vae.init_weights(key)),
        "unet": drawn(lambda: pipeline.unet.init_weights(key)),
        "scheduler": pipeline.scheduler.create_state(),
    }
